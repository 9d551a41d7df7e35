import type { Account, TwilioAccount } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"

/** The connection of a number, as an operator enters it. */
export const accountOf = ({ accountSid, authToken, number }: TwilioAccount): Account => ({
  connection: aConnection({
    id: `01900000-0000-7000-8000-0000000000a${number.slice(-1)}`,
    channel: "sms",
    provider: "twilio",
    handle: number,
    config: { account_sid: accountSid }
  }),
  credentials: { auth_token: authToken },
  secrets: [authToken]
})
