import type { Workflow } from "../../model/Workflow.js"

/** A workflow with the signing secret of its webhooks in clear text, which is shown once. */
export interface WorkflowWithSecret {
  readonly workflow: Workflow
  readonly secret: string
}
