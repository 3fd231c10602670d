import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "**/*.gen.*", "examples/*/.state/**", "examples/*/.stacks/**"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, varsIgnorePattern: "^_" }],
      // What is loaded by a name found at run time is loaded by require: the package is CommonJS.
      "@typescript-eslint/no-require-imports": "off",
      // Terminal colors are control characters.
      "no-control-regex": "off",
    },
  },
  {
    // A clock that is set changes no wait and no age: they are differences of performance.now().
    ignores: [
      "test/**",
      "cli/commands/doctor/connection.ts", // Compares the clocks.
      "cli/report/app/hours.ts", // Shows the reader's next week.
      "cli/series/open.ts", // A series ends today.
      "provider/client/retry.ts", // Retry-After may be a date, in an answer without one.
      "provider/client/waits.ts", // Shows the time of day.
      "service/src/writes.ts", // When an object was written.
    ],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "For a duration, use performance.now()." },
      ],
    },
  },
  {
    // Answers are read as a client of any language would, untyped.
    files: ["test/**"],
    rules: { "@typescript-eslint/no-explicit-any": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.js", "**/*.cjs"],
    rules: { "no-undef": "off" },
  },
);
