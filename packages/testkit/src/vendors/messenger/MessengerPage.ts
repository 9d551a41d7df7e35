/** A Page at the fake of Messenger, with the Instagram account that is linked to it. */
export interface MessengerPage {
  readonly pageId: string
  readonly instagramId: string
  readonly name: string
  readonly username: string
  readonly accessToken: string
  readonly appSecret: string
}

/** A test Page, distinct by number. */
export const aMessengerPage = (number = 1): MessengerPage => ({
  pageId: `10988776655443${number}`,
  instagramId: `1784140012345678${number}`,
  name: `Shop ${number}`,
  username: `shop_${number}`,
  accessToken: `EAAGm0PX4ZCpsBA${number}page-access-token`,
  appSecret: `app-secret-${number}-9f3e1c7b5a2d4068`
})

/** The customers of the fake; other ids are not found. */
export const messengerCustomers = {
  facebook: ["6754321098765432", "7012345678901234"],
  instagram: ["1234567890123456", "987654321098765"]
} as const

/** Meta's channels by the `object` of their webhooks. */
export type MessengerObject = "page" | "instagram"
