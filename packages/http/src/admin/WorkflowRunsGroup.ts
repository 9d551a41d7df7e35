import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  DryRunInput,
  DryRunResource,
  ListedRunResource,
  RunListQuery,
  RunResource,
  RunsOfWorkflowQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "resource")

/**
 * Workflow runs: executions of a workflow for one event
 * (docs/reference/administration.md#workflow-and-bot-administration).
 */
export const WorkflowRunsGroup = HttpApiGroup.make("workflowRuns")
  .add(
    HttpApiEndpoint.get("listOfWorkflow")`/workflows/${id}/runs`
      .setUrlParams(RunsOfWorkflowQuery)
      .addSuccess(cursorPage(ListedRunResource))
      .annotate(OpenApi.Summary, "List a workflow's runs, newest first")
  )
  .add(
    HttpApiEndpoint.get("list")`/workflow-runs`
      .setUrlParams(RunListQuery)
      .addSuccess(cursorPage(ListedRunResource))
      .annotate(OpenApi.Summary, "List the runs of all workflows, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/workflow-runs/${id}`
      .addSuccess(single(RunResource))
      .annotate(OpenApi.Summary, "Read one run: the result of each action, and what the run waits for")
  )
  .add(
    HttpApiEndpoint.post("stop")`/workflow-runs/${id}/stop`
      .addSuccess(single(RunResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Stop a run: no further action is executed")
  )
  .add(
    HttpApiEndpoint.post("retry")`/workflow-runs/${id}/retry`
      .addSuccess(single(RunResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Try a failed run again, from the action that failed")
  )
  .add(
    HttpApiEndpoint.post("dryRun")`/workflows/dry-run`
      .setPayload(DryRunInput)
      .addSuccess(single(DryRunResource))
      .annotate(OpenApi.Summary, "Dry-run a definition: nothing is written, sent or called")
  )
  .annotate(OpenApi.Title, "Workflow runs")
  .annotate(OpenApi.Description, "Executions of workflows, with the result of each action.")
