export * from "./WhatsAppConfig.js"
export * from "./WhatsAppCredentials.js"
export * from "./WhatsAppOptions.js"
export * from "./whatsapp.js"
