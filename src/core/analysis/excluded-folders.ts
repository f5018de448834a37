/** Folders that never hold code of the project itself; scb-check's list. */
export const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".venv",
  "venv",
  "env",
  ".env",
  "__pycache__",
  "build",
  "dist",
  "node_modules",
  "site-packages",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".tox",
]);
