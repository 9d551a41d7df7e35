/** A business with one number at the fake of WhatsApp. */
export interface WhatsAppBusiness {
  readonly phoneNumberId: string
  readonly businessAccountId: string
  /** As Meta displays it, for example `+1 555-000-1111`. */
  readonly displayNumber: string
  readonly name: string
  readonly accessToken: string
  readonly appSecret: string
}

/** A template as Meta lists it. */
export interface WhatsAppTemplate {
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category: string
  readonly parameter_format?: string
  readonly components: ReadonlyArray<{
    readonly type: string
    readonly text?: string
    readonly [field: string]: unknown
  }>
}

/** A test business, distinct by number. */
export const aWhatsAppBusiness = (number = 1): WhatsAppBusiness => ({
  phoneNumberId: `10654035224292${number}`,
  businessAccountId: `10229012934039${number}`,
  displayNumber: `+1 555-000-111${number}`,
  name: `Business ${number}`,
  accessToken: `EAAGm0PX4ZCpsBA${number}secret-access-token`,
  appSecret: `app-secret-${number}-0c1d8a7f5b3e4d6f`
})

/** A template of every fake. */
export const orderReadyTemplate: WhatsAppTemplate = {
  name: "order_ready",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  components: [
    { type: "BODY", text: "Hello {{1}}, your order {{2}} is ready." },
    { type: "FOOTER", text: "The shop" }
  ]
}
