/** Tells for which platform a compiled library is, by the first bytes of its file. */

/**
 * @param {Uint8Array} bytes the whole file
 * @returns {string | undefined} for example `linux-x64`, named as VS Code names platforms; undefined when not known
 */
export function platformOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 64) return undefined;
  return elfPlatform(view) ?? machOPlatform(view) ?? pePlatform(view);
}

/** @param {DataView} view */
function elfPlatform(view) {
  if (view.getUint32(0, false) !== 0x7f454c46) return undefined;
  return { 0x3e: "linux-x64", 0xb7: "linux-arm64" }[view.getUint16(18, true)];
}

/** @param {DataView} view */
function machOPlatform(view) {
  if (view.getUint32(0, true) !== 0xfeedfacf) return undefined;
  return { 0x01000007: "darwin-x64", 0x0100000c: "darwin-arm64" }[view.getUint32(4, true)];
}

/** @param {DataView} view */
function pePlatform(view) {
  if (view.getUint16(0, false) !== 0x4d5a) return undefined;
  const header = view.getUint32(60, true);
  if (header + 6 > view.byteLength || view.getUint32(header, false) !== 0x50450000) return undefined;
  return { 0x8664: "win32-x64", 0xaa64: "win32-arm64" }[view.getUint16(header + 4, true)];
}
