import type { PreparedImage } from "../sandbox.js";

/** A prepared image and what a session of it needs to know. */
export class DockerImage implements PreparedImage {
  readonly reference: string;
  readonly pythonVersion: string;
  readonly warnings: readonly string[];
  /** The engine's id: it stays with the content when the name moves on. */
  readonly id: string;
  readonly uid: number;
  readonly gid: number;
  /** The image's own PATH. */
  readonly path: string;
  /** Whether something was installed on top of it whose commands are to be found. */
  readonly isLayered: boolean;

  constructor(fields: Readonly<Omit<DockerImage, never>>) {
    this.reference = fields.reference;
    this.pythonVersion = fields.pythonVersion;
    this.warnings = fields.warnings;
    this.id = fields.id;
    this.uid = fields.uid;
    this.gid = fields.gid;
    this.path = fields.path;
    this.isLayered = fields.isLayered;
  }
}
