/** A rule cannot be compiled: it is wrong, or says something that only ast-grep itself understands. */
export class RuleTrouble extends Error {
  override readonly name = "RuleTrouble";
}
