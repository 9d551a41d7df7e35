import type { Account, WhatsAppBusiness } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"

/** A connection to a business of the fake, as an operator enters it. */
export const accountOf = (business: WhatsAppBusiness): Account => {
  const credentials = {
    access_token: business.accessToken,
    app_secret: business.appSecret,
    verify_token: `verify-${business.phoneNumberId}-token`
  }
  return {
    connection: aConnection({
      id: `01900000-0000-7000-8000-0000000000a${business.phoneNumberId.slice(-1)}`,
      channel: "whatsapp",
      provider: "whatsapp",
      handle: `+${business.displayNumber.replace(/\D/g, "")}`,
      config: { phone_number_id: business.phoneNumberId, business_account_id: business.businessAccountId }
    }),
    credentials,
    secrets: Object.values(credentials)
  }
}
