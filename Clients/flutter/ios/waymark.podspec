Pod::Spec.new do |s|
  s.name             = 'waymark'
  s.version          = '0.3.0-dev'
  s.summary          = 'Client of Waymark, the smart link service, for Flutter.'
  s.homepage         = 'https://git.example.com/waymark'
  s.license          = { :type => 'Apache-2.0' }
  s.author           = 'Waymark'
  s.source           = { :path => '.' }
  s.source_files     = 'waymark/Sources/waymark/**/*.swift'
  s.dependency 'Flutter'
  s.platform         = :ios, '13.0'
  s.swift_version    = '5.9'
end
