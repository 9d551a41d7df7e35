import type { Account, MessengerPage } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"

/** A connection to a Page of the fake, or to its Instagram account, as an operator enters it. */
export const accountOf = (page: MessengerPage, channel: "facebook" | "instagram"): Account => {
  const credentials = {
    page_access_token: page.accessToken,
    app_secret: page.appSecret,
    verify_token: `verify-${page.pageId}-token`
  }
  return {
    connection: aConnection({
      id: `01900000-0000-7000-8000-0000000000a${page.pageId.slice(-1)}`,
      channel,
      provider: "messenger",
      handle: `@${page.username}`,
      config: {
        page_id: page.pageId,
        ...(channel === "instagram" ? { instagram_account_id: page.instagramId } : {})
      }
    }),
    credentials,
    secrets: Object.values(credentials)
  }
}
