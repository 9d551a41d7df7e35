import { AdminWorkflowRuns, type ExplainedRun, listedRunResource, runResource, withExactNumbers } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { WorkflowRunsGroup } from "./WorkflowRunsGroup.js"

const shown = (known: ExplainedRun) => {
  const result = { data: runResource(known) }
  return known.run.exactData === null ? result : withExactNumbers(result)
}

/** Implements the group `workflowRuns` of the contract. */
export const workflowRunsHandlers: Effect.Effect<
  GroupHandlers<typeof WorkflowRunsGroup, Administrator>,
  never,
  AdminWorkflowRuns
> = Effect.map(AdminWorkflowRuns, (runs) => ({
  listOfWorkflow: ({ path, query, url }) =>
    Effect.map(runs.listOfWorkflow(path.id, query), (page) => pageOf(url, page, listedRunResource)),
  list: ({ query, url }) => Effect.map(runs.list(query), (page) => pageOf(url, page, listedRunResource)),
  get: ({ path }) => Effect.map(runs.get(path.id), shown),
  stop: ({ path }) => Effect.map(runs.stop(path.id), shown),
  retry: ({ path }) => Effect.map(runs.retry(path.id), shown),
  dryRun: ({ body }) => Effect.map(runs.dryRun(body), (data) => ({ data }))
}))
