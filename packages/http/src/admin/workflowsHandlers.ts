import { AdminWorkflows, type WorkflowWithSecret, workflowResource, workflowVersionResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { WorkflowsGroup } from "./WorkflowsGroup.js"

/** Implements the group `workflows` of the contract. */
export const workflowsHandlers: Effect.Effect<
  GroupHandlers<typeof WorkflowsGroup, Administrator>,
  never,
  AdminWorkflows
> = Effect.map(AdminWorkflows, (workflows) => ({
  create: ({ body }) => Effect.map(workflows.create(body), shown),
  validate: ({ body }) => Effect.map(workflows.validate(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(workflows.list(query), (page) => pageOf(url, page, workflowResource)),
  get: ({ path }) => Effect.map(workflows.get(path.id), (row) => ({ data: workflowResource(row) })),
  update: ({ path, body }) => Effect.map(workflows.update(path.id, body), (row) => ({ data: workflowResource(row) })),
  publish: ({ path }) => Effect.map(workflows.publish(path.id), (row) => ({ data: workflowResource(row) })),
  unpublish: ({ path }) => Effect.map(workflows.unpublish(path.id), (row) => ({ data: workflowResource(row) })),
  rotateSecret: ({ path }) => Effect.map(workflows.rotateSecret(path.id), shown),
  listVersions: ({ path, query, url }) =>
    Effect.map(workflows.listVersions(path.id, query), (page) => pageOf(url, page, workflowVersionResource))
}))

const shown = ({ secret, workflow }: WorkflowWithSecret) => ({ data: { ...workflowResource(workflow), secret } })
