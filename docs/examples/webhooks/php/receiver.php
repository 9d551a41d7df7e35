<?php
// Receives webhooks on PHP alone. Run: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 receiver.php

declare(strict_types=1);

$secret = getenv('WEBHOOK_SECRET') ?: throw new Exception('WEBHOOK_SECRET is not set');
$inbox = getenv('INBOX') ?: 'inbox';

/** Whether the signature is valid and at most five minutes old. $rawBody is unparsed: decoding and encoding changes it. */
function isGenuine(string $rawBody, string $timestamp, string $signature, string $secret): bool
{
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    return hash_equals('sha256=' . hash_hmac('sha256', "$timestamp.$rawBody", $secret), $signature);
}

/** Stores an event for later processing; false if it exists. Your service would insert it under a unique id. */
function keep(string $inbox, string $id, string $rawBody): bool
{
    is_dir($inbox) || @mkdir($inbox, recursive: true);
    $draft = tempnam($inbox, '.draft');
    file_put_contents($draft, $rawBody);
    $isNew = @link($draft, "$inbox/$id.json");
    unlink($draft);
    if (!$isNew && !file_exists("$inbox/$id.json")) {
        throw new Exception("$inbox takes no files");
    }
    return $isNew;
}

function receive(string $inbox, string $secret): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $rawBody = file_get_contents('php://input');
    $timestamp = $_SERVER['HTTP_X_WEBHOOK_TIMESTAMP'] ?? '';
    if (!isGenuine($rawBody, $timestamp, $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '', $secret)) {
        return 401;
    }
    // The id in the body is the signed one; it equals X-Webhook-ID.
    $event = json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    if (keep($inbox, $event['id'], $rawBody)) {
        error_log("kept {$event['type']} {$event['id']}");
    }
    return 204;
}

// Any other status than 2xx is retried, also the 500 that PHP answers to an exception.
http_response_code(receive($inbox, $secret));
