import type { Workflow } from "../../workflows/Workflow.js"

/** A workflow, and the secret that its webhooks are signed with as it is shown once. */
export interface WorkflowWithSecret {
  readonly workflow: Workflow
  readonly secret: string
}
