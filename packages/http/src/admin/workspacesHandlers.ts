import { AdminWorkspaces } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { WorkspacesGroup } from "./WorkspacesGroup.js"

/** Implements the group `workspaces` of the contract. A workspace is its own resource. */
export const workspacesHandlers: Effect.Effect<
  GroupHandlers<typeof WorkspacesGroup, Administrator>,
  never,
  AdminWorkspaces
> = Effect.map(AdminWorkspaces, (workspaces) => ({
  create: ({ body }) => Effect.map(workspaces.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(workspaces.list(query), (page) => pageOf(url, page, (workspace) => workspace)),
  get: ({ path }) => Effect.map(workspaces.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(workspaces.update(path.id, body), (data) => ({ data }))
}))
