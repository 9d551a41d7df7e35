import { Schema } from "effect"
import { RunStatus } from "./Run.js"
import { stepFields } from "./RunResource.js"

/** What an action would come to, on the wire. */
export const DryStepResource = Schema.Struct({ ...stepFields, says: Schema.NullOr(Schema.String) }).annotations({
  identifier: "DryWorkflowStep"
})

/** What a run would come to, on the wire. */
export const DryRunResource = Schema.Struct({
  status: RunStatus,
  reason: Schema.NullOr(Schema.String),
  steps: Schema.Array(DryStepResource)
}).annotations({ identifier: "WorkflowDryRun" })
