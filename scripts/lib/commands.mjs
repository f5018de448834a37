/** Running other programs, for the scripts beside this folder. */
import { spawn } from "node:child_process";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";

/**
 * Runs a program with its output shown, and ends it and all it started when it takes too long.
 * @param {readonly string[]} command program and arguments
 * @param {{ minutes: number, env?: Readonly<Record<string, string>> }} options
 * @returns {Promise<boolean>} whether it ended by itself, with exit code 0
 */
export function succeeds(command, { minutes, env = {} }) {
  const [program = "", ...parameters] = command;
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
      // A group of its own, so that what it started can be ended with it.
      detached: true,
    });
    const endGroup = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    const timer = setTimeout(() => {
      console.error(`${command.join(" ")}: still running after ${minutes} minutes, ended`);
      endGroup();
    }, minutes * 60_000);
    process.once("SIGINT", endGroup);
    process.once("SIGTERM", endGroup);
    const finish = (/** @type {boolean} */ success) => {
      clearTimeout(timer);
      process.off("SIGINT", endGroup);
      process.off("SIGTERM", endGroup);
      resolve(success);
    };
    child.once("error", (error) => {
      console.error(`${program}: ${error.message}`);
      finish(false);
    });
    child.once("exit", (code) => {
      finish(code === 0);
    });
  });
}
