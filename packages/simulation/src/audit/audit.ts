import { type History, historyOf } from "./History.js"
import type { Journal } from "./Journal.js"
import { acceptedMessages } from "./promises/acceptedMessages.js"
import { endpointDisabling } from "./promises/endpointDisabling.js"
import { eventsOnce } from "./promises/eventsOnce.js"
import { handOvers } from "./promises/handOvers.js"
import { statuses } from "./promises/statuses.js"
import { webhookAudience } from "./promises/webhookAudience.js"
import { webhookDelivery } from "./promises/webhookDelivery.js"
import { webhookForm } from "./promises/webhookForm.js"
import { webhookSchedule } from "./promises/webhookSchedule.js"
import type { Violation } from "./Violation.js"

const promises: ReadonlyArray<(history: History) => Iterable<Violation>> = [
  acceptedMessages,
  handOvers,
  statuses,
  eventsOnce,
  webhookForm,
  webhookAudience,
  webhookSchedule,
  webhookDelivery,
  endpointDisabling
]

/**
 * Compares a history, as seen from outside, with what the interface promises. Empty: no promise is shown to be broken. In the
 * order of time. Fails where the journal does not begin with its world.
 */
export const audit = (journal: Journal): ReadonlyArray<Violation> => {
  const history = historyOf(journal)
  const violations: Array<Violation> = []
  for (const promise of promises) violations.push(...promise(history))
  return violations.sort((one, other) => one.at - other.at)
}
