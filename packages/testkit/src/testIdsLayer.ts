import { Ids } from "@parley/core"
import { makeTestIds } from "@parley/memory"
import { Layer } from "effect"

/** {@link makeTestIds} as a layer. */
export const testIds: Layer.Layer<Ids> = Layer.sync(Ids, () => makeTestIds())
