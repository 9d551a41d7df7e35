/** An account at the fake of Twilio. */
export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** Its number, in E.164. */
  readonly number: string
  /** The id of the number. */
  readonly numberSid: string
  readonly messagingServiceSid: string
}

const hex = (prefix: string, digit: number): string => `${prefix}${`${digit}`.repeat(32)}`

/** An account by number, 1 to 9. */
export const aTwilioAccount = (digit: number): TwilioAccount => ({
  accountSid: hex("AC", digit),
  authToken: `twilio-auth-token-${digit}-5d41402a`,
  number: `+1555010000${digit}`,
  numberSid: hex("PN", digit),
  messagingServiceSid: hex("MG", digit)
})

/** The phones that the fake can reach. */
export const twilioCustomers = ["+15005550006", "+491511234567"] as const
