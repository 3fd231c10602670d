// Loaded before all else by each process that must end with its parent. Once the parent has ended, the output
// has no reader. Pulumi's SDK prints every error that no listener gets, and that print would be the next error, without an end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
