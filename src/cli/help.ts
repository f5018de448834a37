/** The longer texts behind the options of `--help`. `program` is how the command was started. */

export const agentHelp = (program: string): string => `
An agent such as --agent claude-code is installed at its pinned release on top of the image, once. It gets the keys that
its file names from your environment, and nothing else of it; ${program} agents tells which.

A command agent (--agent command --command '…') runs by sh -c once a checkpoint, inside the image, so it must be
installed there or install itself; --image names another image. It runs as a non-root user with the network on and sees
only the workspace, with the files of the checkpoint before. The prompt is on stdin and in the file that
$SLOP_LENS_PROMPT_FILE names. Of your variables it gets only those that --pass-env names, such as the key of a model's
API. With --environment local it runs on this machine, with your rights.
A model agent (--agent model --endpoint URL --model NAME) needs no command: the loop runs here and gives the model tools
to read, write and run in the container. The key that --key-env names stays on this machine.`;

export const QUEUE_HELP = `
All agents and all problems move forward together; a second attempt begins when every first one has. An interrupt ends
what runs, in order, and keeps what is finished. A queue in YAML (paths start at its own folder):
  problems: [examples/shelf, packs/kit]
  agents:
    - reference
    - { agent: claude-code, model: MODEL }
    - { name: mine, command: 'my-agent < "$SLOP_LENS_PROMPT_FILE"', pass_env: [MY_KEY], timeout: 3600 }
    - { endpoint: http://localhost:11434/v1, model: MODEL, key_env: MY_KEY }
  policy: independent(3)
and, if wanted, attempts, jobs, memory, environment, image, template, runs, checkpoints. A policy is named, or the path of
its file; attempts changes how often it tries.`;

export const EXCLUDE_HELP = `
A glob without a slash is for names of files and folders at any depth: --exclude tests --exclude '*_pb2.py'. One with a
slash is for paths, from the present folder or from a folder of PATHS: --exclude 'src/legacy/**'. With a slash at the end it is
for folders only. In quotes, so that the shell leaves it as it is. The report says how many files were left out.`;

export const help = (program: string): string => `
Exit code: 0 when the command did its work, whatever the tests said; 1 when problems finds an error in a pack, or
with run --fail-on-failed when a checkpoint did not pass; 2 on bad input or when Docker, the image or the tests themselves failed, with one line that says why; 130 when interrupted.

Examples:
  ${program} run examples/shelf
  ${program} run examples/shelf --agent command --command 'my-agent --prompt "$SLOP_LENS_PROMPT_FILE"'
  ${program} run examples/shelf --agent claude-code --model claude-sonnet-4-5 --thinking low
  ${program} queue examples/shelf packs/kit --agent reference --agent 'mine=command:my-agent' --attempts 3
  ${program} eval solution --problem examples/shelf --checkpoint 2
  ${program} analyze src --json
  ${program} explain src/shelf.py Shelf.add`;
