import { type Fields, fieldsOf, lines, numberIn, textIn } from "./fields.js"
import type { ReadContent } from "./ReadContent.js"

/** A payment as an order of one item, whose product is the payload of the business's invoice. */
export const orderOf = (message: Fields): ReadContent | null => {
  const payment = fieldsOf(message.successful_payment)
  const amount = numberIn(payment, "total_amount")
  const currency = textIn(payment, "currency")
  if (amount === null || currency === null) return null
  const product = textIn(payment, "invoice_payload") ?? textIn(payment, "telegram_payment_charge_id") ?? "payment"
  const price = amount / 10 ** decimals(currency)
  return {
    body: lines(`Paid: ${price} ${currency}`, product),
    content: { type: "order", catalog: null, items: [{ product, name: null, quantity: 1, price, currency }] },
    attachments: []
  }
}

/** Digits after the point of amounts in a currency. Telegram Stars (XTR) have none. */
const decimals = (currency: string): number => {
  if (currency === "XTR" || !/^[A-Z]{3}$/.test(currency)) return 0
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
}
