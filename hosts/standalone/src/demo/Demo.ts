import { lookup, type ReadError, Storage } from "@parley/core"
import type { Settings } from "@parley/host-settings"
import { Context, Effect } from "effect"
import * as DemoFile from "./DemoFile.js"

/** Whether this database is a demo: not at all, about to become one, or one that was made before. */
export type Demo =
  | { readonly _tag: "None" }
  | { readonly _tag: "Wanted" }
  | { readonly _tag: "Known"; readonly file: DemoFile.DemoFile }
export const Demo = Context.GenericTag<Demo>("@parley/standalone/Demo")

/** A demo is wanted on an empty database; it is known where the one that the data directory tells of is in the database. */
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
