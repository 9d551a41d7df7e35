/** The URL to which Twilio reports the progress of a message: that of the webhook, with our id. */
export const callbackUrl = (webhookUrl: string, messageId: string | undefined): string =>
  messageId === undefined ? webhookUrl : `${webhookUrl}?message=${messageId}`
