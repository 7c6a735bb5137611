<?php
// Makes the requests of Firebase's SDK for PHP with Guzzle, through the middleware that the guide describes.
// Usage: check-guzzle.php URL KEY, behind check-google.py, whose application it uses.
declare(strict_types=1);

require 'GuzzleHttp/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ClientException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use GuzzleHttp\Psr7\Uri;
use Psr\Http\Message\RequestInterface;

[, $url, $key] = $argv;
$wrong = 0;

function expect(string $name, mixed $found, mixed $wanted): void
{
    global $wrong;
    if ($found === $wanted) return;
    $wrong++;
    fwrite(STDERR, "$name: " . json_encode($found) . ', not ' . json_encode($wanted) . "\n");
}

$server = new Uri($url);
$stack = HandlerStack::create();
$stack->push(Middleware::mapRequest(fn (RequestInterface $request) => $request
    ->withUri($request->getUri()->withScheme($server->getScheme())->withHost($server->getHost())->withPort($server->getPort()))
    ->withHeader('Authorization', 'Bearer ' . $key)));
$client = new Client(['handler' => $stack, 'base_uri' => 'https://firebasedynamiclinks.googleapis.com/v1/']);
$send = fn (string $method, string $path, array $options = []) =>
    json_decode((string) $client->request($method, $path, $options)->getBody(), true, flags: JSON_THROW_ON_ERROR);
// The SDK writes empty arrays as objects.
$body = fn (array $value) => ['body' => json_encode($value, JSON_FORCE_OBJECT), 'headers' => ['Content-Type' => 'application/json; charset=UTF-8']];

$link = [
    'dynamicLinkInfo' => [
        'domainUriPrefix' => 'https://go.example.com', 'link' => 'https://example.com/größe?a=1&b=2',
        'analyticsInfo' => [], 'iosInfo' => ['iosBundleId' => 'com.example.shop'], 'navigationInfo' => ['enableForcedRedirect' => true],
    ],
    'suffix' => ['option' => 'UNGUESSABLE'],
];
$made = $send('POST', 'shortLinks', $body($link));
expect('shortLink', str_starts_with($made['shortLink'], 'https://go.example.com/'), true);
expect('previewLink', $made['previewLink'], $made['shortLink'] . '?d=1');
expect('a long link', array_keys($send('POST', 'shortLinks', $body(
    ['longDynamicLink' => 'https://go.example.com/?link=https%3A%2F%2Fexample.com%2F', 'suffix' => ['option' => 'SHORT']]))),
    ['shortLink', 'previewLink']);
expect('linkStats', $send('GET', rawurlencode($made['shortLink']) . '/linkStats', ['query' => ['durationDays' => 7]]), []);
try {
    $send('POST', 'shortLinks', $body(['dynamicLinkInfo' => ['domainUriPrefix' => 'https://go.example.com']]));
    expect('a refusal', false, true);
} catch (ClientException $error) {
    $answer = json_decode((string) $error->getResponse()->getBody(), true);
    expect('an error', [$error->getCode(), $answer['error']['code'], $answer['error']['status']], [400, 400, 'INVALID_ARGUMENT']);
}

echo $wrong === 0 ? "Guzzle was answered as by Google.\n" : "$wrong answers to Guzzle are wrong.\n";
exit($wrong === 0 ? 0 : 1);
