import { type ConnectionRefusal, InboundEvent, type Instant } from "@parley/core"
import { type Fields, fieldsOf, listOf, unknownEvent } from "@parley/provider-kit"

/**
 * The event of a change that tells something about the business account, one of its numbers or templates
 * (docs/reference/whatsapp.md#news); null for another field.
 */
export const accountNotice = (field: string, value: unknown, account: string, at: Instant): InboundEvent | null => {
  const read = readers.get(field)
  if (read === undefined) return null
  const fields = fieldsOf(value)
  const details = detailsOf(fields)
  if (details.length === 0) return unknownEvent(field, value)
  const { refusal = null, text } = read(fields)
  return InboundEvent.AccountNotice({
    message: `${text} (${details.join(", ")})`,
    at,
    concerns: { business_account_id: account },
    refusal: refusal === null ? null : { providerCode: refusal, providerMessage: text }
  })
}

/** `refusal`: Meta's word for the state in which it takes no messages of the account. */
interface News {
  readonly text: string
  readonly refusal?: ConnectionRefusal["providerCode"]
}

const reviews: ReadonlyMap<unknown, News> = new Map<unknown, News>([
  ["APPROVED", { text: "WhatsApp has approved the business account." }],
  ["REJECTED", { text: "WhatsApp has rejected the business account in its review.", refusal: "REJECTED" }]
])

const bans: ReadonlyMap<unknown, News> = new Map<unknown, News>([
  ["DISABLE", { text: "WhatsApp has disabled the business account.", refusal: "DISABLE" }],
  ["SCHEDULE_FOR_DISABLE", { text: "WhatsApp is going to disable the business account." }],
  [
    "REINSTATE",
    { text: "WhatsApp has reinstated the business account. Make its disconnected connections active again." }
  ]
])

/** Without it, the business cannot answer customers either. */
const answers = "RESTRICTED_CUSTOMER_INITIATED_MESSAGING"

const restriction = ({ restriction_info }: Fields): News => {
  const types = listOf(restriction_info).map((one) => fieldsOf(one).restriction_type)
  const text = "WhatsApp restricts the business account."
  return types.includes(answers) ? { text, refusal: answers } : { text }
}

const update = (fields: Fields): News => {
  switch (fields.event) {
    case "DISABLED_UPDATE":
      return bans.get(fieldsOf(fields.ban_info).waba_ban_state) ?? { text: "The ban of the business account changed." }
    case "ACCOUNT_DELETED":
      return { text: "The business account was deleted.", refusal: "ACCOUNT_DELETED" }
    case "ACCOUNT_RESTRICTION":
      return restriction(fields)
    case "ACCOUNT_VIOLATION":
      return { text: "The business account violated a policy of WhatsApp's." }
    default:
      return { text: "The business account changed at WhatsApp." }
  }
}

/** Readers by the field of the change. */
const readers: ReadonlyMap<string, (fields: Fields) => News> = new Map<string, (fields: Fields) => News>([
  ["account_update", update],
  ["account_alerts", () => ({ text: "WhatsApp has an alert for the account." })],
  [
    "account_review_update",
    ({ decision }) => reviews.get(decision) ?? { text: "WhatsApp has not decided on the business account yet." }
  ],
  ["phone_number_quality_update", () => ({ text: "The messaging limit or throughput of a number changed." })],
  ["phone_number_name_update", () => ({ text: "WhatsApp decided on the display name of a number." })],
  ["message_template_quality_update", () => ({ text: "The quality of a template changed." })],
  ["business_capability_update", () => ({ text: "The limits of the business account changed." })],
  ["security", () => ({ text: "A security setting of a number changed." })]
])

/** The texts and numbers in Meta's spelling, with the names of their fields: at most 20, three levels deep. */
const detailsOf = (fields: Fields, depth = 0): ReadonlyArray<string> =>
  Object.entries(fields)
    .flatMap(([name, value]) => {
      if (typeof value === "string" || typeof value === "number") return [`${name}: ${value}`]
      const inner = Array.isArray(value)
        ? value.map((item) => (typeof item === "object" ? item : { [name]: item }))
        : [value]
      return depth < 2 ? inner.flatMap((one) => detailsOf(fieldsOf(one), depth + 1)) : []
    })
    .slice(0, 20)
