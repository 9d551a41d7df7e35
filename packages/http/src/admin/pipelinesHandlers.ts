import { AdminPipelines } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { PipelinesGroup } from "./PipelinesGroup.js"

/** Implements the group `pipelines` of the contract. */
export const pipelinesHandlers: Effect.Effect<
  GroupHandlers<typeof PipelinesGroup, Administrator>,
  never,
  AdminPipelines
> = Effect.map(AdminPipelines, (pipelines) => ({
  create: ({ body }) => Effect.map(pipelines.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(pipelines.list(query), (page) => pageOf(url, page, (row) => row)),
  get: ({ path }) => Effect.map(pipelines.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(pipelines.update(path.id, body), (data) => ({ data }))
}))
