import type { ByteReader, ByteWriter } from "./bytes.js";

/** How values of one type are written as bytes, and read again. */
export interface Codec<Value> {
  write(writer: ByteWriter, value: Value): void;
  /** @throws RangeError when the bytes are damaged */
  read(reader: ByteReader): Value;
}

/** Integers from 0 to 2³¹ − 1. */
export const count: Codec<number> = {
  write: (writer, value) => {
    writer.count(value);
  },
  read: (reader) => reader.count(),
};

/** Any number, to the last bit. */
export const real: Codec<number> = {
  write: (writer, value) => {
    writer.real(value);
  },
  read: (reader) => reader.real(),
};

export const text: Codec<string> = {
  write: (writer, value) => {
    writer.text(value);
  },
  read: (reader) => reader.text(),
};

/** A text that many files have in common. */
export const phrase: Codec<string> = {
  write: (writer, value) => {
    writer.phrase(value);
  },
  read: (reader) => reader.phrase(),
};

export const flag: Codec<boolean> = {
  write: (writer, value) => {
    writer.count(Number(value));
  },
  read: (reader) => reader.count() === 1,
};

/** A value that may be undefined. */
export function optional<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    write: (writer, value) => {
      writer.count(value === undefined ? 0 : 1);
      if (value !== undefined) codec.write(writer, value);
    },
    read: (reader) => (reader.count() === 0 ? undefined : codec.read(reader)),
  };
}

/** One of a few values. */
export function oneOf<const Value extends string>(...values: readonly Value[]): Codec<Value> {
  return {
    write: (writer, value) => {
      writer.count(values.indexOf(value));
    },
    read: (reader) => {
      const value = values[reader.count()];
      if (value === undefined) throw new RangeError("the bytes are damaged");
      return value;
    },
  };
}

export function list<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  return {
    write: (writer, values) => {
      writer.count(values.length);
      for (const value of values) codec.write(writer, value);
    },
    read: (reader) => {
      const values: Value[] = [];
      for (let left = reader.count(); left > 0; left--) values.push(codec.read(reader));
      return values;
    },
  };
}

/** Ascending positive integers, as runs of neighbours. */
export const ascending: Codec<readonly number[]> = {
  write: (writer, values) => {
    const runs = runsOf(values);
    writer.count(runs.length);
    let end = 0;
    for (const { start, length } of runs) {
      writer.count(start - end);
      writer.count(length);
      end = start + length;
    }
  },
  read: (reader) => {
    const values: number[] = [];
    let next = 0;
    for (let left = reader.count(); left > 0; left--) {
      next += reader.count();
      for (const end = next + reader.count(); next < end; next++) values.push(next);
    }
    return values;
  },
};

function runsOf(values: readonly number[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && last.start + last.length === value) last.length++;
    else runs.push({ start: value, length: 1 });
  }
  return runs;
}

/** An object; a field that has no codec does not compile. */
export function record<Value extends object>(fields: {
  readonly [Name in keyof Value]-?: Codec<Value[Name]>;
}): Codec<Value> {
  const names = Object.keys(fields) as (keyof Value)[];
  return {
    write: (writer, value) => {
      for (const name of names) fields[name].write(writer, value[name]);
    },
    read: (reader) => {
      const value: Partial<Value> = {};
      for (const name of names) {
        const part = fields[name].read(reader);
        if (part !== undefined) value[name] = part;
      }
      // Every field was read.
      return value as Value;
    },
  };
}
