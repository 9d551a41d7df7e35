export * from "./TelegramConfig.js"
export * from "./TelegramCredentials.js"
export * from "./TelegramOptions.js"
export * from "./telegram.js"
