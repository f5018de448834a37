import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

const vscodeWall = { name: "vscode", message: "Only src/editor talks to VS Code." };
const consoleWall = {
  selector: "MemberExpression[object.name='console']",
  message: "src/core prints nothing.",
};

const usingInLoop = {
  selector:
    ":matches(ForStatement, ForOfStatement, ForInStatement, WhileStatement, DoWhileStatement) VariableDeclaration[kind=/using$/]",
  message:
    "esbuild throws an error of one round again in later rounds: move the body of the loop to a function.",
};

/** The rooms of src/core in build order: a room imports only rooms that stand before it. */
const rooms = [
  "model",
  "problem",
  "prompt",
  "sandbox",
  "analysis",
  "evaluation",
  "transcript",
  "agent",
  "store",
  "trajectory",
  "queue",
  "report",
];
const roomWalls = rooms.map((room, index) => ({
  files: [`src/core/${room}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: [vscodeWall],
        patterns: [
          {
            group: ["**/editor/**", "**/cli/**", "**/webview/**"],
            message: "src/core stands below its hosts.",
          },
          ...rooms
            .slice(index + 1)
            .map((later) => ({ group: [`**/${later}/*`], message: `${room} stands below ${later}.` })),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "dist.*/",
      "node_modules/",
      ".cache/",
      "test-results/",
      "examples/",
      "demo/",
      "runs/",
      "coverage/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.mts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ["error", 10],
      "max-lines": ["error", { max: 400, skipComments: true, skipBlankLines: true }],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  { files: ["src/**/*.ts"], rules: { "no-restricted-syntax": ["error", usingInLoop] } },
  { files: ["src/core/**/*.ts"], rules: { "no-restricted-syntax": ["error", consoleWall, usingInLoop] } },
  ...roomWalls,
  {
    files: ["src/cli/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", { paths: [vscodeWall], patterns: [{ group: ["**/editor/**"] }] }],
    },
  },
  {
    files: ["src/editor/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [{ group: ["**/cli/**"] }] }] },
  },
  {
    files: ["webview/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [vscodeWall],
          patterns: [
            { group: ["**/editor/**", "**/cli/**", "node:*"] },
            {
              regex: "/core/(?!(report/(format|phases|verdict-words)|model/problem)\\.js$)",
              allowTypeImports: true,
              message:
                "A page shares types, phases and the writing of figures and verdicts with the core, nothing else.",
            },
          ],
        },
      ],
    },
  },
  { files: ["test/**/*.ts"], rules: { "max-lines-per-function": "off" } },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        AbortSignal: "readonly",
        clearInterval: "readonly",
        console: "readonly",
        performance: "readonly",
        process: "readonly",
        setInterval: "readonly",
        setTimeout: "readonly",
        URL: "readonly",
      },
    },
  },
  // An extension as VS Code loads it where nothing is built.
  {
    files: ["test/fixtures/extensions/**/*.js"],
    languageOptions: { sourceType: "commonjs", globals: { require: "readonly", exports: "writable" } },
  },
  prettier,
);
