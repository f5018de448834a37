import type Docker from "dockerode";
import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { ABORT_GRACE, pause } from "../deadline.js";
import { isDead, ownStamp, formatStamp, parseStamp } from "../process-stamp.js";
import { ProvisionReader, type Provisioned, type ProvisionSpec } from "../provision.js";
import { createContainer, removeContainer } from "./containers.js";
import type { Engine } from "./engine.js";
import { isMissingProgram, statusOf, wordsOf, workingError } from "./engine-errors.js";
import { containerLabels, LABEL } from "./labels.js";
import {
  findOwnImage,
  imageTag,
  madeLabel,
  removeImage,
  type ImageKind,
  type Made,
  type OwnImage,
} from "./own-images.js";
import { runContainer } from "./run-container.js";

export interface Build {
  readonly kind: ImageKind;
  readonly key: string;
  /** Image to start from. */
  readonly base: string;
  /** What is made ready, for the beginning of an error's sentence. */
  readonly subject: string;
  readonly script: string;
  readonly spec: ProvisionSpec;
  readonly user: string;
  readonly workdir: string;
  readonly host: Docker.HostConfig;
  /** Fills the container before it starts. */
  readonly fill?: (container: Docker.Container) => Promise<void>;
}

/** Commits of big layers take their time, in milliseconds. */
const COMMIT_DEADLINE = 10 * 60_000;
/** Milliseconds between looks at a build of somebody else. */
const LOOK_AGAIN = 500;
/** A foreign build that has not run for so long is dead, in milliseconds. */
const FOREIGN_AGE = 10 * 60_000;

/** Names of the builds of this process. */
const active = new Set<string>();
const committedSchema = z.object({ Id: z.string() });

/**
 * The image of ours with the build's key, made if it is not there. The build container's name is a lock that the
 * engine keeps: two builds of one key never run at once, in whatever process they are.
 * @throws SlopLensError as `provision.py` says, image-unsuitable, engine-lost, disk-full, cancelled
 */
export async function ensureImage(
  engine: Engine,
  build: Build,
  onProgress: (line: string) => void,
  signal: AbortSignal,
): Promise<OwnImage> {
  const name = `slop-lens-build-${build.key.slice(0, 24)}`;
  let told = false;
  for (;;) {
    const present = await findOwnImage(engine, build.kind, build.key, signal);
    if (present !== undefined) return present;
    const container = active.has(name) ? undefined : await createNamed(engine, name, build, signal);
    if (container !== undefined) {
      try {
        return await make(engine, container, build, onProgress, signal);
      } finally {
        await removeContainer(engine, container, signal.aborted ? ABORT_GRACE : undefined);
        active.delete(name);
      }
    }
    if (!told) onProgress("Waiting for the same build elsewhere");
    told = true;
    await dropIfDead(engine, name);
    await pause(LOOK_AGAIN, signal);
  }
}

async function createNamed(
  engine: Engine,
  name: string,
  build: Build,
  signal: AbortSignal,
): Promise<Docker.Container | undefined> {
  active.add(name);
  try {
    return await createContainer(engine, options(name, build), signal);
  } catch (error) {
    active.delete(name);
    if (statusOf(error) === 409) return undefined;
    throw buildError(build, error);
  }
}

function options(name: string, build: Build): Docker.ContainerCreateOptions {
  return {
    name,
    Image: build.base,
    Entrypoint: ["python3", "-I", "-c", build.script],
    Cmd: [],
    User: build.user,
    WorkingDir: build.workdir,
    Labels: containerLabels("build"),
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    HostConfig: build.host,
  };
}

async function make(
  engine: Engine,
  container: Docker.Container,
  build: Build,
  onProgress: (line: string) => void,
  signal: AbortSignal,
): Promise<OwnImage> {
  await build.fill?.(container);
  const reader = new ProvisionReader(onProgress);
  let words = "";
  await runContainer(
    engine,
    container,
    {
      stdin: JSON.stringify(build.spec),
      onStdout: (chunk) => {
        reader.push(chunk);
      },
      onStderr: (chunk) => {
        words = (words + Buffer.from(chunk).toString("utf8")).slice(-2000);
      },
    },
    { limits: { timeoutSeconds: undefined }, signal, onStartError: (error) => startError(build, error) },
  );
  const provisioned = reader.result(build.subject, words);
  onProgress("Keeping the result as an image");
  return commit(engine, container, build, provisioned, signal);
}

async function commit(
  engine: Engine,
  container: Docker.Container,
  build: Build,
  provisioned: Provisioned,
  signal: AbortSignal,
): Promise<OwnImage> {
  const { python, uid, gid, offline, warnings } = provisioned;
  const made: Made = { python, uid, gid, offline, warnings: [...warnings], at: Date.now() };
  const labels = { [LABEL.kind]: build.kind, [LABEL.key]: build.key, [LABEL.made]: madeLabel(made) };
  const { repo, tag } = imageTag(build.kind, build.key);
  const outdated = await engine.find(
    "looking at an image",
    engine.docker.getImage(`${repo}:${tag}`).inspect(),
  );
  const answer: unknown = await engine.call(
    "keeping an image",
    // As instructions of a Dockerfile: Podman takes no labels from the request's body.
    container.commit({
      ...{ container: container.id, repo, tag, pause: "false" },
      changes: Object.entries(labels).map(([name, value]) => `LABEL ${name}=${value}`),
    }),
    { signal, deadline: COMMIT_DEADLINE },
  );
  if (outdated !== undefined) await removeImage(engine, outdated.Id);
  return { ...made, id: committedSchema.parse(answer).Id, reference: `${repo}:${tag}` };
}

function startError(build: Build, error: unknown): Error {
  if (!isMissingProgram(error)) return workingError(error, "starting a container");
  return new SlopLensError(
    "image-unsuitable",
    `${build.subject} cannot be used: no python3 can be started in it (${wordsOf(error)})`,
    "Name an image with Python 3.9 or newer.",
    { cause: error },
  );
}

function buildError(build: Build, error: unknown): Error {
  if (statusOf(error) !== 400) return workingError(error, "creating a container");
  const message = `No container can be made from ${build.subject}: ${wordsOf(error)}`;
  return new SlopLensError("environment-invalid", message, "Check `docker` in the environment.", {
    cause: error,
  });
}

/** Removes a build container whose process is gone, so that its name is free again. */
async function dropIfDead(engine: Engine, name: string): Promise<void> {
  if (active.has(name)) return;
  const container = engine.docker.getContainer(name);
  const info = await engine.find("looking at a container", container.inspect());
  if (info === undefined) return;
  const label = info.Config.Labels[LABEL.process];
  const stamp = parseStamp(label);
  const left = label === formatStamp(ownStamp());
  const stale = !info.State.Running && Date.now() - Date.parse(info.Created) > FOREIGN_AGE;
  if (left || stale || (stamp !== undefined && isDead(stamp))) {
    await removeContainer(engine, container);
  }
}
