import type { TreeNode } from "./node.js";

/** A row that a view holds on to. It stays the same object while rows with its id come and go. */
export interface Handle {
  node: TreeNode;
  readonly parent: Handle | undefined;
  /** Undefined until somebody asked for them. */
  children: Handle[] | undefined;
}

/** `undefined` as an element means the whole tree. */
export type Changed = readonly Handle[] | undefined;

/**
 * Keeps the rows that were handed out and finds which of them changed, so that a view repaints those and keeps
 * selection and expansion.
 */
export class Forest {
  private roots: Handle[] | undefined;

  constructor(private readonly build: () => readonly TreeNode[]) {}

  /** The children of a row, or the roots. */
  async children(parent: Handle | undefined): Promise<readonly Handle[]> {
    if (parent === undefined) {
      this.roots = merge(undefined, this.roots, this.build());
      return this.roots;
    }
    parent.children = merge(parent, parent.children, await parent.node.children());
    return parent.children;
  }

  /**
   * The row with this id below another, built if nobody has asked for it yet.
   * @param isFold rows that hold some of the rows around them
   */
  async child(
    parent: Handle | undefined,
    id: string,
    isFold: (row: TreeNode) => boolean,
  ): Promise<Handle | undefined> {
    const known = parent === undefined ? this.roots : parent.children;
    const children = known ?? (await this.children(parent));
    const found = children.find(({ node }) => node.id === id);
    if (found !== undefined) return found;
    const fold = children.find(({ node }) => isFold(node));
    return fold === undefined ? undefined : this.child(fold, id, isFold);
  }

  /** The row with this id among those that were handed out. */
  find(id: string): Handle | undefined {
    return search(this.roots ?? [], id);
  }

  /** Rows that were handed out already, at the top. */
  get top(): readonly Handle[] {
    return this.roots ?? [];
  }

  /** Builds anew and tells which rows have to be painted again; an empty list when nothing changed. */
  async refresh(): Promise<Changed> {
    if (this.roots === undefined) return undefined;
    const fresh = this.build();
    if (!sameIds(this.roots, fresh)) {
      this.roots = merge(undefined, this.roots, fresh);
      return undefined;
    }
    return this.compareAll(this.roots, fresh);
  }

  private async compareAll(handles: readonly Handle[], fresh: readonly TreeNode[]): Promise<Handle[]> {
    const changed: Handle[] = [];
    for (const [index, handle] of handles.entries()) {
      const now = fresh[index];
      if (now !== undefined) changed.push(...(await this.compare(handle, now)));
    }
    return changed;
  }

  /** A changed row stands for all below it, because a view asks again for the children of what it repaints. */
  private async compare(handle: Handle, now: TreeNode): Promise<Handle[]> {
    const before = handle.node;
    handle.node = now;
    if (hasSameBasis(before, now)) return [];
    const same = looksAlike(before, now);
    if (handle.children === undefined) return same ? [] : [handle];
    const fresh = await now.children();
    if (!sameIds(handle.children, fresh)) {
      handle.children = merge(handle, handle.children, fresh);
      return [handle];
    }
    const below = await this.compareAll(handle.children, fresh);
    return same ? below : [handle];
  }
}

function merge(
  parent: Handle | undefined,
  known: Handle[] | undefined,
  fresh: readonly TreeNode[],
): Handle[] {
  const byId = new Map((known ?? []).map((handle) => [handle.node.id, handle]));
  return fresh.map((row) => {
    const handle = byId.get(row.id);
    if (handle === undefined) return { node: row, parent, children: undefined };
    handle.node = row;
    return handle;
  });
}

function search(handles: readonly Handle[], id: string): Handle | undefined {
  for (const handle of handles) {
    const found = handle.node.id === id ? handle : search(handle.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sameIds(handles: readonly Handle[], fresh: readonly TreeNode[]): boolean {
  return (
    handles.length === fresh.length && handles.every((handle, index) => handle.node.id === fresh[index]?.id)
  );
}

function hasSameBasis({ basis: before }: TreeNode, { basis: now }: TreeNode): boolean {
  if (before === undefined || now?.length !== before.length) return false;
  return before.every((value, index) => value === now[index]);
}

const TEXTS = ["label", "description", "tooltip", "spoken", "contextValue", "expand"] as const;

/** Compares all that a view paints of a row. Targets are left out: commands read the newest from the row itself. */
function looksAlike(before: TreeNode, now: TreeNode): boolean {
  return (
    TEXTS.every((key) => before[key] === now[key]) &&
    isSameValue(before.icon, now.icon) &&
    isSameValue(before.action, now.action)
  );
}

function isSameValue(before: TreeNode["icon" | "action"], now: TreeNode["icon" | "action"]): boolean {
  return before === now || JSON.stringify(before) === JSON.stringify(now);
}
