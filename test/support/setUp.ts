import { afterAll } from "vitest";
import { endAll } from "./ends.js";

// Loaded anew for each test file.
afterAll(endAll);
