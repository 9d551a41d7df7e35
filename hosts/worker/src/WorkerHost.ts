import { Engine } from "@parley/core"
import { Effect, Layer } from "effect"

/** Works off the queue while its scope lives; when that ends it finishes what it has begun. */
export const layer = Layer.merge(Engine.worker, Layer.effectDiscard(Effect.logInfo("working off the queue")))
