import { plainWords } from "../../program/names";

/** `KubePodCrashLooping` → `kube-pod-crash-looping`; empty if no character fits. */
export const kebab = (text: string): string =>
  plainWords(text)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");

// A slug has up to 255 characters, of which a prefix and a number may need some.
const longest = 200;
