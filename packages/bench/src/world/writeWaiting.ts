import type { Lane, Storage } from "@parley/core"
import { Effect } from "effect"
import { waitingDeliveries } from "./deliveries.js"

const portion = 500

/** Writes a number of waiting deliveries, to these endpoints in turn. */
export const writeWaiting = (
  storage: Storage,
  endpointIds: ReadonlyArray<string>,
  count: number,
  lane: Lane = "deliveries"
) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(count / portion) }, (_, n) => Math.min(portion, count - n * portion)),
    (size) => storage.commit(waitingDeliveries(endpointIds, size, Date.now(), lane)),
    { discard: true }
  )
