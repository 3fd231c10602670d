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
    // Answers are read as a client of any language would, untyped.
    files: ["test/**"],
    rules: { "@typescript-eslint/no-explicit-any": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.js", "**/*.cjs"],
    rules: { "no-undef": "off" },
  },
);
