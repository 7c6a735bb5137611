<?php
// Receives webhooks: verifies each, stores it as inbox/ID.json, answers. A worker of yours takes it from there.
$key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET') ?: ''), true);
if ($key === false || strlen($key) < 24) {
    http_response_code(500);
    exit('WEBHOOK_SECRET is empty or too short');
}

function is_genuine(string $key, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!preg_match('/^[A-Za-z0-9_-]{1,200}$/D', $id) || !preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input', length: 1 << 20);
[$id, $timestamp, $signatures] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
$genuine = $_SERVER['REQUEST_METHOD'] === 'POST' && is_genuine($key, $id, $timestamp, $signatures, $body);
$file = "inbox/$id.json";
if ($genuine && !file_exists($file)) { // Else it was received before.
    @mkdir('inbox');
    $part = tempnam('inbox', 'part');
    if (file_put_contents($part, $body) !== strlen($body) || !rename($part, $file)) {
        http_response_code(500);
        exit;
    }
}
http_response_code($genuine ? 204 : 400);
