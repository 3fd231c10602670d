/** An operation on a stack. */
export type StackOperation = "import" | "preview" | "up" | "destroy";

/** How many resources each thing happened to, or would; a replacement is one created and one deleted. */
export interface Counts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly same: number;
}

/** A progress report of a team's process. */
export type EngineMessage =
  | { readonly type: "resource"; readonly action: Exclude<keyof Counts, "same">; readonly resource: string }
  /** The error, in one line. */
  | { readonly type: "error"; readonly text: string }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "note"; readonly text: string }
  /** A line that the team's program printed. */
  | { readonly type: "output"; readonly text: string };
