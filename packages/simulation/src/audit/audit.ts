import { type History, historyOf } from "./History.js"
import type { Journal } from "./Journal.js"
import { acceptedMessages } from "./promises/acceptedMessages.js"
import { availability } from "./promises/availability.js"
import { bots } from "./promises/bots.js"
import { credentials } from "./promises/credentials.js"
import { endpointDisabling } from "./promises/endpointDisabling.js"
import { enqueued } from "./promises/enqueued.js"
import { erasure } from "./promises/erasure.js"
import { eventsOnce } from "./promises/eventsOnce.js"
import { handOvers } from "./promises/handOvers.js"
import { idempotency } from "./promises/idempotency.js"
import { inbound } from "./promises/inbound.js"
import { isolation } from "./promises/isolation.js"
import { jobs } from "./promises/jobs.js"
import { lists } from "./promises/lists.js"
import { merges } from "./promises/merges.js"
import { optOut } from "./promises/optOut.js"
import { rateBuckets } from "./promises/rateBuckets.js"
import { receipts } from "./promises/receipts.js"
import { responses } from "./promises/responses.js"
import { runs } from "./promises/runs.js"
import { severalFiles } from "./promises/severalFiles.js"
import { shutdown } from "./promises/shutdown.js"
import { statuses } from "./promises/statuses.js"
import { subscriptionOrder } from "./promises/subscriptionOrder.js"
import { subscriptions } from "./promises/subscriptions.js"
import { webhookAudience } from "./promises/webhookAudience.js"
import { webhookDelivery } from "./promises/webhookDelivery.js"
import { webhookDuplicates } from "./promises/webhookDuplicates.js"
import { webhookForm } from "./promises/webhookForm.js"
import { webhookPromptness } from "./promises/webhookPromptness.js"
import { webhookSchedule } from "./promises/webhookSchedule.js"
import { workflowWaits } from "./promises/workflowWaits.js"
import type { Violation } from "./Violation.js"

const promises: ReadonlyArray<(history: History) => Iterable<Violation>> = [
  responses,
  availability,
  rateBuckets,
  idempotency,
  acceptedMessages,
  enqueued,
  handOvers,
  severalFiles,
  receipts,
  statuses,
  inbound,
  optOut,
  merges,
  erasure,
  isolation,
  eventsOnce,
  webhookForm,
  webhookAudience,
  webhookSchedule,
  webhookDuplicates,
  webhookPromptness,
  webhookDelivery,
  endpointDisabling,
  subscriptions,
  subscriptionOrder,
  workflowWaits,
  runs,
  bots,
  credentials,
  lists,
  jobs,
  shutdown
]

/**
 * Compares a history, as seen from outside, with what the interface promises. Empty: no promise is shown to be broken.
 * In the order of time. Fails where the journal does not begin with its world.
 */
export const audit = (journal: Journal): ReadonlyArray<Violation> => {
  const history = historyOf(journal)
  const violations: Array<Violation> = []
  for (const promise of promises) violations.push(...promise(history))
  return violations.sort((one, other) => one.at - other.at)
}
