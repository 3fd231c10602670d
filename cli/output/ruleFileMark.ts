/** The first line of a rule file that `export` writes: only such a file is overwritten, and nothing in it is a template of Helm. */
export const ruleFileMark = "# Written by pulumi-observability export --prometheus: change the program instead.";
