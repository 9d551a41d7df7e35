import { HttpSender } from "@parley/core"
import { Effect, Layer, type Scope } from "effect"
import type * as AddressGuard from "./AddressGuard.js"
import type { Options } from "./undiciSender.js"

export type { Options } from "./undiciSender.js"

/**
 * Outbound HTTP by undici with the address guard (docs/reference/webhooks.md#address-rules). Keeps connections alive
 * between requests; they close with the scope. Fails with `CidrInvalid` if `allow` contains an invalid CIDR.
 *
 * The system's resolver blocks threads of libuv's pool: a host that delivers to many names with slow DNS should raise
 * `UV_THREADPOOL_SIZE`.
 */
export const make = (options: Options = {}): Effect.Effect<HttpSender, AddressGuard.CidrInvalid, Scope.Scope> =>
  // undici takes a fifth of the CPU time in which Parley is imported.
  Effect.flatMap(
    Effect.promise(() => import("./undiciSender.js")),
    ({ make }) => make(options)
  )

/** {@link make} as a layer; connections close with it. */
export const layer = (options: Options = {}): Layer.Layer<HttpSender, AddressGuard.CidrInvalid> =>
  Layer.scoped(HttpSender, make(options))
