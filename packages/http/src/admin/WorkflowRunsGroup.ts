import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  DryRunInput,
  DryRunResource,
  ListedRunResource,
  RunListQuery,
  RunResource,
  RunsOfWorkflowQuery,
  uuid
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Runs: events on their way through workflows (decisions.md §14). */
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
      .annotate(OpenApi.Summary, "Read one run: what became of each action, and what it waits for")
  )
  .add(
    HttpApiEndpoint.post("stop")`/workflow-runs/${id}/stop`
      .addSuccess(single(RunResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Stop a run: it carries out nothing more")
  )
  .add(
    HttpApiEndpoint.post("dryRun")`/workflows/dry-run`
      .setPayload(DryRunInput)
      .addSuccess(single(DryRunResource))
      .annotate(OpenApi.Summary, "Tell what a run of a definition would come to; nothing is written, sent or called")
  )
  .annotate(OpenApi.Title, "Workflow runs")
  .annotate(OpenApi.Description, "Events on their way through workflows, with what became of each action.")
