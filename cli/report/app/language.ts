// uPlot formats numbers for the browser's language as soon as it is loaded. A browser that runs without a language has a
// name that is none, such as `en-US@posix`.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
