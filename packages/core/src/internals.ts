// Parts of the engine for the programs of the benchmark: the rules of the hot path, and the queue without the engine's
// handlers. The workspace alone resolves this entry: it is not published.
export { applyReceipt } from "./flows/inbound/applyReceipt.js"
export { receiveMessage } from "./flows/inbound/receiveMessage.js"
export { recordOutcome } from "./flows/sends/recordOutcome.js"
export { scheduledReceipt } from "./flows/sends/scheduledReceipt.js"
export { dueDelivery } from "./flows/webhooks/dueDelivery.js"
export { recordAttempt } from "./flows/webhooks/recordAttempt.js"
export { webhookRequest } from "./flows/webhooks/webhookRequest.js"
export * as Dispatcher from "./queue/Dispatcher.js"
export * as DispatcherHooks from "./queue/DispatcherHooks.js"
export * as Handlers from "./queue/Handlers.js"
export * as Worker from "./queue/Worker.js"
export { sendMessage } from "./resources/messages/sendMessage.js"
