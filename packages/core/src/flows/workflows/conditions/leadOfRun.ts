import type { Lead } from "../../../model/Lead.js"
import type { Step } from "../../../model/Run.js"

/**
 * The lead that `update_lead` moves and `pipeline_stage` tests: the newest that the run created, else the newest. The
 * contact may have newer leads of other runs. `leads` are newest first.
 */
export const leadOfRun = (steps: ReadonlyArray<Pick<Step, "leadId">>, leads: ReadonlyArray<Lead>): Lead | undefined =>
  leads.find(({ id }) => steps.some(({ leadId }) => leadId === id)) ?? leads[0]
