import { lookup, type ReadError, Storage } from "@parley/core"
import type { Settings } from "@parley/host-settings"
import { Context, Effect } from "effect"
import * as DemoFile from "./DemoFile.js"

/** Whether the database contains a demo: no, to be created, or created earlier. */
export type Demo =
  | { readonly _tag: "None" }
  | { readonly _tag: "Wanted" }
  | { readonly _tag: "Known"; readonly file: DemoFile.DemoFile }
export const Demo = Context.GenericTag<Demo>("@parley/standalone/Demo")

/**
 * A demo is created in an empty database if the settings enable it. It is recognised if the database contains the
 * workspace in the data directory's demo file.
 */
export const find = ({ dataDirectory, demo }: Settings): Effect.Effect<Demo, ReadError, Storage> =>
  Effect.gen(function* () {
    if (!demo) return { _tag: "None" }
    const storage = yield* Storage
    const workspaces = yield* storage.list({ from: "workspaces", where: {}, after: null, limit: 1 })
    const file = yield* DemoFile.read(DemoFile.pathIn(dataDirectory))
    if (workspaces.length === 0 || file === "begun") return { _tag: "Wanted" }
    if (file === null) return { _tag: "None" }
    const { mine } = yield* storage.read({ mine: lookup("workspaces", { id: file.workspace_id }) })
    return mine.length === 0 ? { _tag: "None" } : { _tag: "Known", file }
  })
