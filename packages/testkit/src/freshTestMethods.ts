import { effect, flakyTest, it, layer, live, prop, scoped, scopedLive } from "@effect/vitest"

// `layer(…)` replaces methods of the `it` that every file imports. Files share a process: without this, the next file's
// tests would run on that layer's runtime and clock.
Object.assign(it, { effect, flakyTest, layer, live, prop, scoped, scopedLive })
