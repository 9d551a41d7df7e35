import { effect, flakyTest, it, layer, live, prop, scoped, scopedLive } from "@effect/vitest"

// `layer(…)` leaves its own methods on the one `it` that every file imports; where files share a process, the next
// file's tests would run on that layer's runtime and clock.
Object.assign(it, { effect, flakyTest, layer, live, prop, scoped, scopedLive })
