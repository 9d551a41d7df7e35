import { addCount, clientNetwork } from "@parley/core"
import { Effect } from "effect"

/** How long the refusal of a client above its limit is delayed by default, in ms. */
export const defaultRefusalDelayMs = 1_000

/** Maximum number of delayed refusals: of one client, whose address may be that of a proxy, and in total. */
export const maxDelayed = { client: 64, total: 2_000 }

/** Delays each 429 but those of applications (docs/reference/rate-limits.md#delayed-refusals). */
export interface DelayedRefusals {
  /** Waits; not at all without an address, or if {@link maxDelayed} wait already. */
  readonly wait: (address: string | null) => Effect.Effect<void>
}

/** Most clients send the next request on a connection after the response: a late one slows them, and costs little. */
export const makeDelayedRefusals = (delayMs: number): DelayedRefusals => {
  const counts = new Map<string, number>()
  let total = 0

  const add = (client: string, by: 1 | -1) => {
    addCount(counts, client, by)
    total += by
  }

  return {
    wait: (address) =>
      Effect.suspend(() => {
        if (address === null) return Effect.void
        const client = clientNetwork(address)
        if (total >= maxDelayed.total || (counts.get(client) ?? 0) >= maxDelayed.client) return Effect.void
        add(client, 1)
        return Effect.ensuring(
          Effect.sleep(delayMs),
          Effect.sync(() => add(client, -1))
        )
      })
  }
}
