import { Schema } from "effect"
import { samples } from "../../../kernel/input/samples.js"
import { component, field } from "../../../kernel/input/wire.js"
import { RunStatus } from "../../../model/Run.js"
import { stepFields } from "./RunResource.js"

/** Expected result of an action, on the wire. */
export const DryStepResource = component("DryWorkflowStep", "Expected result of one action.", {
  ...stepFields,
  says: field(Schema.NullOr(Schema.String), {
    description: "The text of a message, or the JSON of a call; null for other actions.",
    examples: [samples.text]
  })
})

/** Expected result of a run, on the wire. */
export const DryRunResource = component(
  "WorkflowDryRun",
  "Expected result of a run now, if waits ended at once, messages reached the wanted status and webhooks answered 200.",
  {
    status: field(RunStatus, { examples: ["completed"] }),
    reason: field(Schema.NullOr(Schema.String), {
      description: "Why it ended before its last action; null if it did not."
    }),
    steps: Schema.Array(DryStepResource)
  }
)
