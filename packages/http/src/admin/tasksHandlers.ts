import { AdminTasks } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { TasksGroup } from "./TasksGroup.js"

/** Implements the group `tasks` of the contract. */
export const tasksHandlers: Effect.Effect<
  GroupHandlers<typeof TasksGroup, Administrator>,
  never,
  AdminTasks
> = Effect.map(AdminTasks, (tasks) => ({
  create: ({ body }) => Effect.map(tasks.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(tasks.list(query), (page) => pageOf(url, page, (row) => row)),
  get: ({ path }) => Effect.map(tasks.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(tasks.update(path.id, body), (data) => ({ data }))
}))
