import { Ids } from "@parley/core"
import { Layer } from "effect"
import { makeTestIds } from "./testIds.js"

/** {@link makeTestIds} as a layer. */
export const testIds: Layer.Layer<Ids> = Layer.sync(Ids, () => makeTestIds())
